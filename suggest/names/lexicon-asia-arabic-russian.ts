/**
 * The meaning of names in Indonesian, Vietnamese, Japanese, Korean, Chinese, Hindi, Arabic (both also in Latin letters), and Russian
 * with its neighbours; see `lexicon-en-pt-es.ts`. Words that also mean something else in English are left out.
 */

export const phrasesAsiaArabicRussian = {
  fullName: {
    100: 'nama lengkap, nama pelanggan, nama pembeli, nama pemesan, nama kontak, ho ho va ten khach hang, ten nguoi mua, 氏名, お名前, 名前, ご氏名, 顧客名, 会員名, 이름, 성명, 성함, 고객명, 고객 이름, 신청자명, 구매자명, 주문자명, 姓名, 客户姓名, 联系人, 联系人姓名, 收件人姓名, puranaam, poora naam, pura naam, grahak ka naam, पूरा नाम, ग्राहक का नाम, al ism al kamil, ism kamel, ism al 3amil, esm el 3ameel, الاسم الكامل, اسم العميل, الاسم, الإسم, фио, имя клиента, полное имя, имя и фамилия, піб, имя фамилия, контактное лицо',
  },
  name: { 90: 'nama, naam, नाम, ism, esm, اسم, имя, имья, імя, ім я, 名称' },
  firstName: {
    100: 'nama depan, ten rieng, 名, 下の名前, 명, nama panggilan, al ism al awal, الاسم الأول, pehla naam',
  },
  lastName: {
    100: 'nama belakang, 姓, 苗字, 名字, 성, marga, upnaam, उपनाम, al laqab, ism al 3aila, اسم العائلة, اللقب, фамилия, прізвище',
  },
  mobile: {
    100: 'no nomor handphone, nomor handphone, no wa, nomor wa, nomor whatsapp, no whatsapp, nomor ponsel, ponsel, so di dong, di dong, dtdd, zalo, 携帯電話, 携帯番号, 携帯, 携帯電話番号, 휴대폰, 휴대폰번호, 휴대전화, 휴대 전화, 핸드폰, 手机, 手机号, 手机号码, mobile no, mobail, मोबाइल, मोबाइल नंबर, jawwal, jawal, mobayl, raqam al jawwal, raqm el mobile, الجوال, رقم الجوال, الهاتف المحمول, мобильный, мобильный телефон',
  },
  phone: {
    95: 'nomor telepon, no telepon, no telp, nomor telp, telepon, telp, kontak no, so dien thoai, dien thoai, sdt, so lien he, 電話番号, 電話, お電話番号, ご連絡先電話番号, 연락처, 전화번호, 전화 번호, 전화, 电话, 联系电话, 电话号码, sampark number, sampark sankhya, dur bhash, दूरभाष, फ़ोन, फोन, फोन नंबर, raqam hatif, raqm al hatif, raqm hatif, rakam hatef, hatif, hatef, telephon, tilifun, الهاتف, رقم الهاتف, هاتف, телефон, номер телефона, тел, телефон клиента, контактный телефон, телефонын',
  },
  email: {
    100: 'surel, alamat email, alamat surel, thu dien tu, dia chi email, メール, メールアドレス, eメール, 이메일, 이메일주소, 이메일 주소, 메일, 邮箱, 电子邮件, 电子邮箱, 邮件, mail id, email id, ईमेल, ईमेल आईडी, barid, barid electroni, al barid al electroni, eimail, البريد الإلكتروني, البريد, ايميل, эл почта, почта, электронная почта, имейл, емейл, пошта',
  },
  document: {
    100: 'no ktp, nomor ktp, nik, npwp, ktp, so cmnd, cmnd, cccd, so cccd, ma so thue, mst, マイナンバー, 주민등록번호, 사업자등록번호, 身份证, 身份证号, aadhaar, aadhar, aadhaar number, pan number, pan no, आधार, raqam al hawiya, raqm el howeya, raqam qawmi, رقم الهوية, الرقم القومي, инн, паспорт, снилс, иин',
  },
  message: {
    100: 'pesan, isi pesan, pesan anda, tin nhan, noi dung tin nhan, loi nhan, メッセージ, お問い合わせ内容, お問合せ内容, ご相談内容, 問い合わせ内容, 메시지, 문의내용, 문의 내용, 문의사항, 留言, 消息, 消息内容, sandesh, संदेश, risala, resala, al risala, رسالة, الرسالة, نص الرسالة, сообщение, текст сообщения, ваше сообщение, повідомлення',
    95: 'catatan, keterangan, komentar, pertanyaan, ghi chu, noi dung, yeu cau, cau hoi, binh luan, 備考, ご質問, コメント, ご要望, 비고, 요청사항, 남기실 말씀, 메모, 내용, 备注, 备注信息, 咨询内容, 需求, tippani, prashn, टिप्पणी, mulahaza, mola7aza, mulahazat, istifsar, ملاحظة, ملاحظات, استفسار, комментарий, комментарии, примечание, вопрос, пожелания, коментар',
    85: 'deskripsi, kebutuhan, mo ta, 内容, 描述, vivaran, vivran, विवरण, wasf, tafasil, وصف, التفاصيل, описание, суть обращения',
    75: 'perihal, judul pesan, chu de, tieu de, 件名, 題名, 제목, 主题, vishay, विषय, mawdu, mawdoo3, الموضوع, тема, тема обращения',
  },
  campaign: {
    100: 'kampanye, nama kampanye, chien dich, キャンペーン, キャンペーン名, 캠페인, 캠페인명, 活动名称, 推广计划, abhiyan, अभियान, hamla, al hamla, الحملة, اسم الحملة, кампания, рекламная кампания',
  },
  origin: {
    95: 'sumber, asal, sumber lead, nguon, nguon khach, 流入元, 流入経路, 知ったきっかけ, 유입경로, 유입 경로, 유입채널, 经路, 来源, 来源渠道, srot, स्रोत, masdar, al masdar, المصدر, مصدر العميل, источник, источник лида, джерело, откуда узнали',
  },
  eventType: {
    95: 'jenis kejadian, jenis event, su kien, loai su kien, イベント, イベント種別, 이벤트, 이벤트 유형, 事件, 事件类型, ghatna, घटना, hadath, naw3 el hadath, الحدث, نوع الحدث, событие, тип события, подія',
  },
  eventDate: {
    100: 'waktu kejadian, waktu kirim, thoi gian, thoi gian gui, 送信日時, 受付日時, 登録日時, 접수일시, 등록일시, 신청일시, 提交时间, 发送时间, waqt, الوقت, время, время события, дата события, дата и время',
    95: 'tanggal dibuat, dibuat pada, tgl dibuat, tanggal daftar, ngay tao, ngay dang ky, 作成日時, 作成日, 申込日, 생성일시, 생성일, 등록일, 신청일, 접수일, 创建时间, 创建日期, 注册时间, tarikh al insha, تاريخ الإنشاء, дата создания, создано, дата заявки',
    85: 'tanggal, tgl, waktu, ngay, gio, 日付, 日時, 날짜, 일시, 日期, 时间, dinank, dinaank, tarikh, tareekh, दिनांक, तारीख, التاريخ, تاريخ, дата',
    45: '更新日時, 수정일시, diperbarui pada, ngay cap nhat, дата изменения, обновлено',
  },
  eventId: { 100: 'id kejadian, ma su kien, イベントid, id события' },
  id: { 100: 'nomor id, kode, 番号, 번호, 编号, 아이디, رقم, номер id, идентификатор, код' },
  personId: {
    100: 'id pelanggan, kode pelanggan, id kontak, nomor pelanggan, ma khach hang, id khach hang, 顧客番号, 顧客id, 会員番号, 会員id, 고객번호, 고객 번호, 회원번호, 회원 번호, 客户编号, 客户id, 会员号, grahak id, raqam al 3amil, رقم العميل, id клиента, код клиента, номер клиента',
  },
  submissionId: {
    100: 'nomor pesanan, no pesanan, nomor order, nomor booking, ma don hang, ma dat cho, so don hang, 受付番号, 注文番号, 予約番号, 申込番号, 접수번호, 접수 번호, 주문번호, 주문 번호, 예약번호, 신청번호, 订单号, 订单编号, 预约号, talab id, raqam al talab, raqm el talab, رقم الطلب, номер заказа, номер заявки, id заявки',
  },
  person: {
    100: 'pelanggan, pembeli, pemesan, calon pelanggan, pengirim, peserta, pendaftar, tamu, khach hang, khach, nguoi mua, nguoi gui, nguoi dang ky, 顧客, お客様, 申込者, 購入者, 参加者, 고객, 구매자, 신청자, 주문자, 참가자, 발신자, 客户, 顾客, 买家, 用户, 报名人, 下单人, grahak, ग्राहक, al 3amil, 3ameel, 3amil, zaboun, العميل, المشتري, المرسل, клиент, покупатель, заказчик, отправитель, участник, контакт, клієнт, пациент, гость',
    50: 'pengguna, nguoi dung, 会員, 회원, 会员, пользователь',
  },
  actor: {
    100: 'penjual, petugas, admin kasir, agen, perusahaan, toko, cabang, pemilik, penanggung jawab, sales nhan vien, nguoi phu trach, cong ty, cua hang, chi nhanh, chu so huu, nguoi ban, 担当者, 担当, 会社名, 会社, 店舗, 店舗名, スタッフ, 営業担当, 담당자, 담당, 상담원, 회사, 회사명, 매장, 직원, 판매자, 负责人, 客服, 销售, 公司, 公司名称, 店铺, 商家, 卖家, adhikari, sampark adhikari, karmchari, vikreta, dukaan, company ka naam, अधिकारी, विक्रेता, mas2ool, masool, masoul, al mas ool, mandoub, mowazaf, bayi3, sharika, matjar, المسؤول, المندوب, الموظف, البائع, الشركة, المتجر, менеджер, ответственный, продавец, сотрудник, оператор, мастер, компания, организация, магазин, филиал, администратор, владелец, продавець, відповідальний, реферер, кто рекомендовал',
  },
  thing: {
    100: 'produk, barang, paket, layanan, kota, alamat, provinsi, status, kategori, harga, jumlah, san pham, dich vu, thanh pho, dia chi, trang thai, so luong, 商品, 商品名, 住所, 都道府県, 状態, ステータス, 店名, 金額, 상품, 상품명, 주소, 상태, 금액, 도시, 产品, 商品名称, 地址, 城市, 状态, 金额, utpad, shahar, sheher, pata, rajya, mulya, शहर, पता, उत्पाद, al muntaj, muntag, madina, 3enwan, unwan, hala, المنتج, المدينة, العنوان, الحالة, товар, услуга, город, адрес, статус, сумма, цена, продукт, курс, страница, місто',
  },
  matter: {
    100: 'pesanan, pemesanan, janji temu, don hang, dat lich, lich hen, 注文, 予約, 주문, 예약, 订单, 预约, al talab, talab, طلب, الطلب, заказ, заявка, сделка, запись, бронирование, замовлення',
  },
  form: {
    100: 'formulir, borang, bieu mau, フォーム, 설문, 양식, 表单, 问卷, namoodhaj, نموذج, форма, анкета, опрос',
  },
  past: {
    100: 'sebelumnya, truoc, 変更前, 이전, 之前, sabiq, السابق, предыдущий, старый',
  },
  filler: {
    100: 'anda, kamu, nomor, ka, ki, aapka, apna, aap, رقم, ваш, ваша, ваше, cua, cua ban, ご, お',
  },
} as const;
